import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeLayer } from '../layout/layer.ts'
import { bytesOf, digestOf, mediaTypes } from '../layout/oci.ts'
import { openLayout } from '../layout/open-layout.ts'

/** The path of Node in distroless' images, and in this one. */
const nodeInBase = '/nodejs/bin/node'

/**
 * Builds a base image for use without a registry: the Node of the dependencies with the C library of this machine, in a
 * new layout. Returns a reference with its digest.
 */
export const makeMachineBase = async (folder: string): Promise<string> => {
  const root = mkdtempSync(join(tmpdir(), 'trellis-base-'))
  try {
    const copy = (from: string, to: string): void => {
      mkdirSync(dirname(join(root, to)), { recursive: true })
      copyFileSync(from, join(root, to))
    }
    copy(process.execPath, nodeInBase)
    for (const [, file = ''] of execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(
      /(\/\S+) \(0x/g,
    ))
      copy(file, file)
    copy('/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt')
    writeFileSync(
      join(root, 'etc/passwd'),
      'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
    )
    for (const folder of ['tmp', 'proc', 'home/nonroot']) mkdirSync(join(root, folder), { recursive: true })
    const tar = `${root}.tar`
    await writeLayer({ from: root, at: '', out: tar })
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch
    const created = '1970-01-01T00:00:00Z'
    const layout = openLayout(folder)
    const bytes = readFileSync(tar)
    rmSync(tar)
    const layer = await layout.writeBlob(gzipSync(bytes, { level: 1 }), mediaTypes.layer)
    const config = await layout.writeBlob(
      bytesOf({
        architecture,
        os: 'linux',
        created,
        config: {
          Entrypoint: [nodeInBase],
          User: '65532:65532',
          Env: ['SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt'],
        },
        rootfs: { type: 'layers', diff_ids: [digestOf(bytes)] },
      }),
      mediaTypes.config,
    )
    const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: [layer] }
    const written = await layout.writeBlob(bytesOf(manifest), mediaTypes.manifest)
    await layout.tag('node', written)
    return `ocidir://${folder}@${written.digest}`
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
