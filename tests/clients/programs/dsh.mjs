// The dsh bridge in a host that holds tools and effects, as the harness does.
import { Config, apply } from "@deepseek-ai/dsh-mcp-client";
import { assertSupportedJsonSchema } from "@deepseek-ai/dsh-tools";

const [command, ...args] = process.argv.slice(2);
const tools = new Map();
const undo = [];
const logged = [];
const log = (text) => void logged.push(text);
const ctx = {
  root: {},
  logger: { info: log, warn: log, error: log },
  get: () => undefined,
  effect: (run) => void undo.push(run()),
  tools: {
    register(tool) {
      tools.set(tool.name, tool);
      return () => tools.delete(tool.name);
    },
  },
};
const config = { transport: "stdio", serverName: "doctrove", command, args, failOnStartupError: true };
await apply(ctx, Config(config));
const names = [...tools.keys()];
for (const tool of tools.values()) {
  assertSupportedJsonSchema(tool.output.schema);
}
const extract = tools.get("mcp__doctrove__doc_extract");
const exec = { signal: new AbortController().signal };
const good = await extract.execute({ id: "express" }, exec);
const bad = await extract.execute({ id: "no-such-library" }, exec).catch((error) => error.message);
const [shown] = extract.output.render({}, good);
for (const effect of undo.reverse()) await effect();
const structured = extract.output.schema.properties.structuredContent;
console.log(
  JSON.stringify({
    names,
    version: good.structuredContent.version,
    shown: shown.text,
    bad,
    left: [...tools.keys()],
    schemaKept: Object.keys(structured.properties ?? {}),
    logged,
  }),
);
