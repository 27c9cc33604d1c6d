#!/usr/bin/env node
// kubectl asks this program for the words that complete `kubectl celadon …`.
process.argv.splice(2, 0, "completion", "words", "--");
await import("../dist/bundle/main.js");
