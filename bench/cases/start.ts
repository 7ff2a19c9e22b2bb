/** From spawn to the first 200 on /ping, and the memory of an idle server, from source on the same Node. */
import { interleaved, type Measurement, type Sample } from '../measurement.ts';
import { bare, ours, startProcess } from '../processes.ts';

export function measure(): Promise<Measurement> {
  const contestant = (script: readonly string[]) => async (): Promise<Sample> => {
    const server = await startProcess(script);
    const sample = { 'start ms': server.startMs, 'idle MB': server.residentMb() };
    await server.stop();
    return sample;
  };
  return interleaved('Start to first /ping, and idle memory', 7, {
    'bare node:http': contestant(bare),
    'agentcore-agui (source)': contestant(ours),
  });
}
