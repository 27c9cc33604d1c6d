#!/usr/bin/env node
// The installed command. Everything is in the bundle, which `npm run build` makes.
import "../dist/bundle/main.js";
