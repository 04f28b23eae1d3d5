// What both TypeScript clients ask a server, and what it tells them.
export async function told(client) {
  const { tools } = await client.listTools();
  const call = (id) => client.callTool({ name: "doc_extract", arguments: { id } });
  const good = await call("express");
  const bad = await call("no-such-library");
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  const { prompts } = await client.listPrompts();
  const completed = await client.complete({
    ref: { type: "ref/resource", uri: "doctrove://{id}" },
    argument: { name: "id", value: "expr" },
  });
  return {
    server: client.getServerVersion().name,
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    version: good.structuredContent.version,
    error: bad.structuredContent.error.code,
    isError: bad.isError,
    catalog: read.contents[0].text,
    prompts: prompts.map((prompt) => prompt.name),
    completed: completed.completion.values,
  };
}
