// A plain Node server that reads the same index and looks sections up: no SDK, no checks.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const index = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const entries = new Map(index.entries.map((entry) => [entry.id, entry]));
const words = (text) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);

function extract({ id, focus = "" }) {
  const entry = entries.get(id);
  const volume = entry.volumes[entry.versions[0]];
  const wanted = [...words(focus)];
  const sections = volume.sections
    .map((section) => {
      const heading = words(section.heading);
      const body = words(section.body);
      const hits = wanted.map((word) => (heading.has(word) ? 2 : body.has(word) ? 1 : 0));
      return { ...section, score: hits.reduce((a, b) => a + b, 0) / (2 * wanted.length || 1) };
    })
    .filter((section) => section.score > 0 || !wanted.length)
    .sort((a, b) => b.score - a.score)
    .slice(0, 6);
  return { id, name: entry.name, version: entry.versions[0], sections };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let result = {};
  if (method === "initialize") {
    const serverInfo = { name: "plain", version: "0" };
    result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  } else if (method === "tools/call") {
    const structuredContent = extract(params.arguments);
    const text = structuredContent.sections.map((s) => `## ${s.heading}\n\n${s.body}`).join("\n\n");
    result = { content: [{ type: "text", text }], structuredContent };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
}
