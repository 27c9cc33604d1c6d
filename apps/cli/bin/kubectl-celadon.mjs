#!/usr/bin/env node
// The command as a plugin of kubectl, which finds it by its name on the PATH: `kubectl celadon`.
import "../dist/bundle/main.js";
