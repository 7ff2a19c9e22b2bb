"""An agent on the AG-UI app of PyPI's bedrock-agentcore, under uvicorn, as its documentation shows it."""
import os
import re
import logging

from ag_ui.core import (
    RunAgentInput,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from bedrock_agentcore.runtime import AGUIApp

logging.disable(logging.INFO)
app = AGUIApp()


@app.entrypoint
async def agent(run: RunAgentInput):
    found = re.search(r"say (\d+)", str(run.messages[-1].content))
    count = int(found.group(1)) if found else 1
    yield RunStartedEvent(thread_id=run.thread_id, run_id=run.run_id)
    yield TextMessageStartEvent(message_id="m", role="assistant")
    for _ in range(count):
        yield TextMessageContentEvent(message_id="m", delta="twenty characters..")
    yield TextMessageEndEvent(message_id="m")
    yield RunFinishedEvent(thread_id=run.thread_id, run_id=run.run_id)


app.run(port=int(os.environ["AGUI_PORT"]), host="127.0.0.1")
