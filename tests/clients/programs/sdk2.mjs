// The TypeScript client 2.x; the first argument says how it finds the protocol's revision.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { told } from "./told.mjs";

const [mode, target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args });
const client = new Client({ name: "sdk2", version: "0" }, { versionNegotiation: { mode } });
await client.connect(transport);
const revision = client.getNegotiatedProtocolVersion();
console.log(JSON.stringify({ revision, ...(await told(client)) }));
await client.close();
