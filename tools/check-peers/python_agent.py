"""An echo agent on the Python SDK's AG-UI app, as its documentation shows it. The port is the only argument."""
import asyncio
import sys
import uuid

from ag_ui.core import (
    RunAgentInput,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from bedrock_agentcore.runtime import AGUIApp

app = AGUIApp()


@app.entrypoint
async def agent(run: RunAgentInput):
    said = run.messages[-1].content if run.messages else ""
    if said == "Please fail":
        yield RunStartedEvent(thread_id=run.thread_id, run_id=run.run_id)
        raise RuntimeError("the agent failed on purpose")
    message = str(uuid.uuid4())
    yield RunStartedEvent(thread_id=run.thread_id, run_id=run.run_id)
    await asyncio.sleep(0.5)
    yield TextMessageStartEvent(message_id=message, role="assistant")
    yield TextMessageContentEvent(message_id=message, delta=f"You said: {said}")
    yield TextMessageEndEvent(message_id=message)
    yield RunFinishedEvent(thread_id=run.thread_id, run_id=run.run_id)


app.run(port=int(sys.argv[1]), host="0.0.0.0")
