/**
 * An image archive, as `docker save`, `docker buildx --output type=oci,dest=…`, skopeo and podman write it: OCI layout or
 * Docker's own, plain or gzipped. Reads what the image says of itself; the layers are only measured.
 *
 * Sources: OCI image-spec (image-layout, manifest, config); Docker image spec 1.2.
 */
import { list, type ReadEntry } from 'tar';
import { isJsonObject, type JsonObject, listAt, objectAt, stringAt } from '../protocol/json.ts';
import { CheckError } from './check-error.ts';

export interface ImageArchive {
  readonly path: string;
  readonly os: string;
  readonly architecture: string;
  /** What runs: entry point and command together. */
  readonly command: readonly string[];
  readonly user: string;
  /** Such as `8080/tcp`. */
  readonly ports: readonly string[];
  /** Names of the environment's variables and their values. */
  readonly environment: ReadonlyMap<string, string>;
  /** Bytes of each layer, as the archive holds it. */
  readonly layers: readonly number[];
}

/** Manifests and configurations are small; whatever is larger is a layer. */
const maxDocumentBytes = 1024 * 1024;

/** Everything in the archive that may be a document, and the size of everything. */
interface Contents {
  readonly documents: ReadonlyMap<string, string>;
  readonly sizes: ReadonlyMap<string, number>;
}

/** The images in the archive: one, or one for each platform. Throws `CheckError`. */
export async function readImageArchive(path: string): Promise<readonly ImageArchive[]> {
  const contents = await readContents(path);
  const layouts = contents.documents.has('manifest.json') ? dockerLayouts(contents) : ociLayouts(contents);
  if (layouts.length === 0)
    throw new CheckError(`${path} holds no image: no manifest.json and no index.json`);
  return layouts.map((layout) => toImage(path, layout, contents));
}

async function readContents(path: string): Promise<Contents> {
  const documents = new Map<string, string>();
  const sizes = new Map<string, number>();
  const onReadEntry = (entry: ReadEntry): void => {
    const name = entry.path.replace(/^\.\//, '');
    sizes.set(name, entry.size);
    if (entry.type !== 'File' || entry.size > maxDocumentBytes) {
      entry.resume();
      return;
    }
    const chunks: Buffer[] = [];
    entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    entry.on('end', () => documents.set(name, Buffer.concat(chunks).toString('utf8')));
  };
  try {
    await list({ file: path, onReadEntry, strict: true });
  } catch (thrown) {
    const why = thrown instanceof Error && 'code' in thrown ? ` (${String(thrown.code)})` : '';
    throw new CheckError(`can't read ${path} as an image archive${why}`);
  }
  return { documents, sizes };
}

interface Layout {
  readonly config: string;
  readonly layers: readonly string[];
}

function dockerLayouts(contents: Contents): readonly Layout[] {
  const manifest = parse(contents, 'manifest.json');
  const entries = Array.isArray(manifest) ? manifest.filter(isJsonObject) : [];
  return entries.flatMap((entry) => {
    const config = stringAt(entry, 'Config');
    const layers = listAt(entry, 'Layers').filter((layer) => typeof layer === 'string');
    return config === undefined ? [] : [{ config, layers }];
  });
}

/** An index may hold manifests, or further indexes of one manifest for each platform. */
function ociLayouts(contents: Contents, name = 'index.json', depth = 0): readonly Layout[] {
  const index = parse(contents, name);
  if (!isJsonObject(index) || depth > 3) return [];
  return (
    listAt(index, 'manifests')
      .filter(isJsonObject)
      // Attestations stand beside the images that they are about.
      .filter((entry) => stringAt(objectAt(entry, 'platform'), 'os') !== 'unknown')
      .flatMap((entry) => {
        const blob = blobName(stringAt(entry, 'digest'));
        const manifest = parse(contents, blob);
        if (!isJsonObject(manifest)) return [];
        if (manifest['manifests'] !== undefined) return ociLayouts(contents, blob, depth + 1);
        return [
          {
            config: blobName(stringAt(objectAt(manifest, 'config'), 'digest')),
            layers: listAt(manifest, 'layers')
              .filter(isJsonObject)
              .map((layer) => blobName(stringAt(layer, 'digest'))),
          },
        ];
      })
  );
}

/** `sha256:abc` → `blobs/sha256/abc`. */
function blobName(digest: string | undefined): string {
  return `blobs/${(digest ?? '').replace(':', '/')}`;
}

function parse({ documents }: Contents, name: string): unknown {
  const text = documents.get(name);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toImage(path: string, { config, layers }: Layout, contents: Contents): ImageArchive {
  const document = parse(contents, config);
  if (!isJsonObject(document))
    throw new CheckError(`${path} lacks the configuration of its image (${config})`);
  const inner: JsonObject = objectAt(document, 'config') ?? {};
  const strings = (name: string): readonly string[] =>
    listAt(inner, name).filter((each) => typeof each === 'string');
  return {
    path,
    os: stringAt(document, 'os') ?? '',
    architecture: stringAt(document, 'architecture') ?? '',
    command: [...strings('Entrypoint'), ...strings('Cmd')],
    user: stringAt(inner, 'User') ?? '',
    ports: Object.keys(objectAt(inner, 'ExposedPorts') ?? {}),
    environment: new Map(strings('Env').map(nameAndValue)),
    layers: layers.map((layer) => contents.sizes.get(layer) ?? 0),
  };
}

function nameAndValue(line: string): [string, string] {
  const at = line.indexOf('=');
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
