// An OpenAI-compatible endpoint for one small model in a GGUF file: node endpoint.mjs MODEL
// Prints its port; questions wait for each other. One thread: several wait for each other busily,
// which takes minutes where other programs run too.
import http from "node:http";
import { getLlama, LlamaChatSession } from "node-llama-cpp";

const llama = await getLlama({
  gpu: false, build: "never", skipDownload: true, progressLogs: false, logLevel: "error",
});
const model = await llama.loadModel({ modelPath: process.argv[2] });
const context = await model.createContext({ contextSize: 4096, threads: 1 });
let turn = Promise.resolve();

async function complete({ messages, max_tokens: maxTokens, temperature }) {
  const contextSequence = context.getSequence();
  const session = new LlamaChatSession({ contextSequence });
  try {
    return await session.prompt(messages.at(-1).content, { maxTokens, temperature });
  } finally {
    session.dispose();
    contextSequence.dispose();
  }
}

async function answered(request, response) {
  let body = "";
  for await (const chunk of request) body += chunk;
  turn = turn.then(() => complete(JSON.parse(body))).then(
    (content) => [200, { choices: [{ message: { role: "assistant", content } }] }],
    (error) => [500, { error: { message: String(error) } }],
  );
  const [status, answer] = await turn;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
}

const server = http.createServer(answered);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
