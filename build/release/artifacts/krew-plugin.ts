import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { outputOf } from '../../programs/programs.ts'

interface KrewPluginOptions {
  /** The npm package: path of the file. */
  readonly library: string
  readonly version: string
  /** URL of the repository, whose release page has the archive: `https://github.com/acme/trellis`. */
  readonly source: string
  /** The folder of the release. */
  readonly out: string
  /** A folder for files of this run. */
  readonly work: string
}

const bin = 'node_modules/@trellis-gardener/trellis/cli/trellis.mjs'

/**
 * Writes the archive of kubectl's plugin and its manifest for krew, `trellis.yaml`. The archive has the package with its
 * dependencies. All of it is JavaScript, so one archive is for every system with Node that can start a script.
 */
export const writeKrewPlugin = async (options: KrewPluginOptions): Promise<void> => {
  const { library, version, out, work } = options
  const folder = join(work, 'krew')
  await mkdir(folder, { recursive: true })
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await outputOf('npm', ['install', '--prefix', folder, ...flags, library], { cwd: work })
  const file = `kubectl-trellis-${version}.tar.gz`
  const archive = join(out, file)
  const alike = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  await outputOf('tar', ['--create', '--gzip', '--file', archive, ...alike, '-C', folder, '.'], { cwd: work })
  const sha256 = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  await writeFile(join(out, 'trellis.yaml'), stringify(krewManifest({ ...options, file, sha256 })))
}

/**
 * Returns the manifest of the plugin (https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest). On Windows, krew
 * needs an `.exe`: there, npm installs the plugin.
 */
export const krewManifest = ({
  version,
  source,
  file,
  sha256,
}: Pick<KrewPluginOptions, 'version' | 'source'> & { readonly file: string; readonly sha256: string }) => ({
  apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
  kind: 'Plugin',
  metadata: { name: 'trellis' },
  spec: {
    version: `v${version}`,
    homepage: source,
    shortDescription: 'Explain and fix the shoots of a Gardener seed',
    description:
      'Shows the shoots of a Gardener seed whose extensions run on Trellis: what fails or waits, why, who has to act, and what a reconciliation would change in the cloud.\n',
    caveats: 'Needs Node.js 24, or 22.19 or newer of 22, as node on the PATH.\n',
    platforms: [
      {
        selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
        uri: `${source}/releases/download/v${version}/${file}`,
        sha256,
        bin,
      },
    ],
  },
})
