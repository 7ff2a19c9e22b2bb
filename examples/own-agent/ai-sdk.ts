/** The same with an agent of the AI SDK: its loop, its tools, any of its providers. Needs credentials for Bedrock. */
import { amazonBedrock } from '@ai-sdk/amazon-bedrock';
import { ToolLoopAgent } from 'ai';
import { createServer } from '../../src/index.ts';

const model = amazonBedrock('eu.anthropic.claude-sonnet-4-5-20250929-v1:0');
await createServer({ agent: new ToolLoopAgent({ model, instructions: 'You are a patient tutor.' }) });
