import { ChildKernel } from '../../../../src/outbound/kernel/child-kernel.ts';
import { RemoteKernel } from '../../../../src/outbound/kernel/remote-kernel.ts';
import { type KernelUnderTest, kernelContract } from '../../../contract/kernel.contract.ts';
import { obeys } from '../../../fake-kernel/commands.ts';
import { permissionAnswer, userText } from '../../../fake-kernel/sends.ts';
import { startFakeKernel } from '../../../fake-kernel/start.ts';
import { fakeKernelCommand, quietLog, systemRuntime } from './support.ts';

const abilities: Omit<KernelUnderTest, 'kernel'> = {
  talk: { send: userText('one two three'), text: 'one two three' },
  work: userText('/work'),
  ask: {
    send: userText('/ask'),
    answer: (input) => permissionAnswer(input),
    wrongAnswer: (input) => permissionAnswer({ ...input, inputId: 'another' }),
  },
};

kernelContract('the remote client', async () => {
  const { url } = await startFakeKernel({ script: obeys });
  return { kernel: new RemoteKernel({ url, log: quietLog }), ...abilities };
});

kernelContract('the supervised child', async () => ({
  kernel: new ChildKernel({
    command: fakeKernelCommand(),
    environment: process.env,
    runtime: systemRuntime(),
  }),
  ...abilities,
}));
