/** What the platform asks of an image, read from an archive of it. Values of the environment are never shown. */
import { failed, type ImageCheck, passed, type Severity, skipped, source, type Verdict } from '../check.ts';
import type { ImageArchive } from '../image-archive.ts';

const section = source.contract('Container requirements');
const limits = source.platform('quotas');
const maxImageBytes = 2 * 1024 ** 3;
/** More, together with a user that is a name, can't be mounted. */
const maxLayersWithNamedUser = 53;

export const imageChecks: readonly ImageCheck[] = [
  image('container.arm64', 'error', 'The container image is built for ARM64', section, (each) => {
    const platform = `${each.os}/${each.architecture}`;
    return platform === 'linux/arm64' ? passed : unlike(`the image is built for ${platform}`, each, platform);
  }),
  image('image.command', 'error', 'The image says what to start', source.platform('images'), (each) =>
    each.command.length > 0 ? passed : unlike('there is neither Entrypoint nor Cmd', each, '[]'),
  ),
  image(
    'image.exec-form',
    'warning',
    'The agent is started directly, so that it hears SIGTERM',
    source.platform('life cycle'),
    (each) => {
      const [program, flag] = each.command;
      const isShell =
        /(^|\/)(ba|da|a)?sh$/.test(program ?? '') && flag === '-c' && !/^exec /.test(each.command[2] ?? '');
      return isShell ? unlike('a shell stands before the agent', each, JSON.stringify(each.command)) : passed;
    },
  ),
  image('image.port', 'warning', 'The image exposes port 8080', section, (each) => {
    if (each.ports.length === 0) return skipped('the image names no port');
    return each.ports.includes('8080/tcp')
      ? passed
      : unlike('other ports are exposed', each, each.ports.join(' '));
  }),
  image('image.port-setting', 'warning', 'PORT, where the image sets it, is 8080', section, (each) => {
    const value = each.environment.get('PORT');
    if (value === undefined) return skipped('the image sets no PORT');
    return value === '8080' ? passed : unlike('PORT is another one', each, 'PORT is not 8080');
  }),
  image('image.user', 'warning', 'The agent does not run as root', source.platform('security'), (each) =>
    ['', 'root', '0', '0:0', 'root:root'].includes(each.user)
      ? unlike('the image runs as root', each, each.user === '' ? 'no User' : each.user)
      : passed,
  ),
  image('image.layers', 'error', 'An image of many layers names its user by number', limits, (each) => {
    const isNumber = /^\d*(:\d+)?$/.test(each.user);
    return each.layers.length > maxLayersWithNamedUser && !isNumber
      ? unlike('the platform can’t mount it', each, `${each.layers.length} layers, user ${each.user}`)
      : passed;
  }),
  image('image.size', 'error', 'The image has at most 2 GB', limits, (each) => {
    const bytes = each.layers.reduce((sum, size) => sum + size, 0);
    return bytes <= maxImageBytes ? passed : unlike('it is too large', each, `${bytes} bytes of layers`);
  }),
  image(
    'image.secrets',
    'warning',
    'The image holds no secret in its environment',
    source.platform('security'),
    (each) => {
      const names = [...each.environment]
        .filter(([name, value]) => value !== '' && secretName.test(name))
        .map(([name]) => name);
      return names.length === 0
        ? passed
        : unlike('variables have the names of secrets', each, names.join(' '));
    },
  ),
];

const secretName = /(SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_KEY|TOKEN)($|_(KEY|VALUE)$)/i;

function image(
  id: string,
  severity: Severity,
  sentence: string,
  from: string,
  prove: (image: ImageArchive) => Verdict,
): ImageCheck {
  return { id, severity, sentence, source: from, on: 'image', prove };
}

function unlike(why: string, { path }: ImageArchive, seen: string): Verdict {
  return failed(why, { sent: `the archive ${path}`, seen });
}
