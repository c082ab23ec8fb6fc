import { request } from 'node:http'
import { join } from 'node:path'
import { readText } from '../../shared/kubernetes/kubernetes.ts'
import { startServerProcess } from './server-process.ts'

export interface RunningEtcd {
  /** For `--etcd-servers`: a Unix socket, so no port can conflict with another program. */
  readonly url: string
  /** Writes keys, thousands per second, each with its own revision, which kube-apiserver's watches require. */
  put(entries: readonly (readonly [key: string, value: string])[]): Promise<void>
  /** Compacts all revisions before the current one. */
  compact(): Promise<void>
  output(): string
  close(): Promise<void>
}

/** The number of concurrent requests of one `put`. */
const writers = 16

const closedPort = 'http://127.0.0.1:1'

/**
 * Starts a single-member etcd with its files in `folder`, which is deleted with it. The first answer may take a moment.
 */
export const startEtcd = (program: string, folder: string): RunningEtcd => {
  const socketPath = join(folder, 'etcd.sock')
  const server = startServerProcess({
    command: program,
    args: [
      ...['--name=trellis', `--data-dir=${join(folder, 'etcd')}`, '--log-level=warn', '--unsafe-no-fsync'],
      ...[
        `--listen-client-urls=unix://${socketPath}`,
        `--listen-peer-urls=unix://${join(folder, 'peer.sock')}`,
      ],
      // No client uses the advertised address, but etcd only accepts TCP addresses.
      ...[`--advertise-client-urls=${closedPort}`, `--initial-advertise-peer-urls=${closedPort}`],
      `--initial-cluster=trellis=${closedPort}`,
    ],
    folder,
  })

  /** Makes a call to etcd's gRPC gateway ("gRPC gateway", etcd documentation). */
  const call = (path: string, body: object): Promise<{ readonly header: { readonly revision: string } }> =>
    new Promise((resolve, reject) => {
      request({ socketPath, path, method: 'POST', headers: { host: 'localhost' } }, async answer => {
        const text = await readText(answer)
        if (answer.statusCode === 200) resolve(JSON.parse(text))
        else reject(new Error(`calling etcd ${path}: ${answer.statusCode} ${text}`))
      })
        .once('error', reject)
        .end(JSON.stringify(body))
    })

  return {
    url: `unix://${socketPath}`,
    put: async entries => {
      const rest = entries.values()
      const write = async () => {
        for (const [key, value] of rest) {
          await call('/v3/kv/put', {
            key: Buffer.from(key).toString('base64'),
            value: Buffer.from(value).toString('base64'),
          })
        }
      }
      await Promise.all(Array.from({ length: writers }, write))
    },
    compact: async () => {
      const { header } = await call('/v3/kv/range', { key: btoa('/'), count_only: true })
      await call('/v3/kv/compaction', { revision: header.revision, physical: true })
    },
    output: server.output,
    close: server.stop,
  }
}
