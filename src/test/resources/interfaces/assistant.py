"""A coding assistant's way through a run, by the client library of the protocol's makers: python assistant.py ADDRESS TOKEN RUN"""
import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

ADDRESS, TOKEN, RUN = sys.argv[1:]


async def main() -> None:
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        async with streamable_http_client(ADDRESS, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                print(" ".join(sorted(tool.name for tool in (await session.list_tools()).tools)))
                status = await session.call_tool("run_status", {"run_id": RUN})
                print(json.loads(status.content[0].text)["status"])
                wrong = await session.call_tool("cancel", {"run_id": "nobody"})
                print(wrong.content[0].text)


asyncio.run(main())
