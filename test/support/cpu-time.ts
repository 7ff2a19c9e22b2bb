/** Time that this thread has worked, in milliseconds: what code costs, whatever else the machine does meanwhile. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
