// Runs the programs that are named, one after another in this process. Each begins when the one
// before has nothing left to do, as it would end in a process of its own. For each a line of JSON
// tells what it printed, and how it failed.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const tell = process.stdout.write.bind(process.stdout);
const files = process.argv.slice(2);
let running = null;

process.stdout.write = (text) => ((running.printed += text), true);
process.stderr.write = (text) => ((running.said += text), true);

function fail(error) {
  running.failed = true;
  running.said += `${error?.stack ?? error}\n`;
}

function next() {
  if (running?.pending) fail("it waits for what never comes");
  if (running) tell(`${JSON.stringify(running)}\n`);
  if (files.length === 0) return process.off("beforeExit", next);
  running = { file: files.shift(), printed: "", said: "", failed: false, pending: true };
  // Not at once: only what stands in the loop now makes it come back here.
  setImmediate(() => {
    import(pathToFileURL(resolve(running.file)))
      .catch(fail)
      .finally(() => (running.pending = false));
  });
}

process.on("uncaughtException", fail);
process.on("beforeExit", next);
