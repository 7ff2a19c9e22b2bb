/**
 * Loaded before the server by `node --import`: starts the OpenTelemetry SDK where the environment asks for it, with
 * OpenTelemetry's own names, and costs next to nothing where it does not. The server itself only knows the API.
 */
import { processEnvironment } from './config.ts';
import { asksForTelemetry } from './telemetry-environment.ts';

const environment = processEnvironment();
if (asksForTelemetry(environment)) {
  const [{ startTelemetrySdk }, { serverVersion }] = await Promise.all([
    import('./telemetry-sdk.ts'),
    import('./version.ts'),
  ]);
  startTelemetrySdk(environment, serverVersion);
}
