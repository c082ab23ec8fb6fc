import { readdir, readFile, stat } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { getCACertificates } from 'node:tls'

/**
 * Returns the certificates (PEM) in a file, or in all files of a folder and its subfolders, as Knative mounts its trust
 * bundles. Returns an empty list if the path does not exist. Skips files without a certificate.
 */
const readTrustBundle = async (path: string): Promise<readonly string[]> => {
  const files = await filesOf(path)
  const texts = await Promise.all(files.map(file => readFile(file, 'utf8')))
  return [...new Set(texts.filter(text => text.includes('-----BEGIN CERTIFICATE-----')))]
}

const filesOf = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  // The kubelet uses `..data` and the like to swap the files of a mounted ConfigMap; the files are also reachable by
  // their names.
  const names = (await readdir(path)).filter(name => !name.startsWith('..')).toSorted()
  return (await Promise.all(names.map(name => filesOf(join(path, name))))).flat()
}

export interface SinkAgentOptions {
  /** The address of the sink. */
  readonly sink: string
  /** Connections that stay open without a request. The sender decides how many exist. */
  readonly idleConnections: number
  /** Certificates (PEM) to trust besides the public ones. */
  readonly caCerts: string | undefined
  /** A file or folder with more of them. */
  readonly caFile: string
}

/** After this time without traffic, the system probes the peer; it gives up 10 s later. */
const keepAliveMs = 15_000

/**
 * Creates the agent for the sink. It reads the trusted certificates again for every new connection, so that a renewed
 * authority needs no restart.
 */
export const createSinkAgent = ({ sink, idleConnections, caCerts, caFile }: SinkAgentOptions): http.Agent => {
  const options: http.AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: keepAliveMs,
    maxFreeSockets: idleConnections,
    scheduling: 'lifo',
  }
  if (!sink.startsWith('https:')) return new http.Agent(options)
  const agent = new https.Agent(options)
  const connect = agent.createConnection.bind(agent)

  const trust = async () => {
    const fromFiles = await readTrustBundle(caFile)
    const added = caCerts === undefined ? fromFiles : [caCerts, ...fromFiles]
    return added.length === 0 ? {} : { ca: [...getCACertificates('default'), ...added] }
  }
  agent.createConnection = (options, callback) => {
    trust()
      .then(trusted => {
        const socket = connect({ ...options, ...trusted })
        if (socket) callback?.(null, socket)
      })
      // The types require a socket even here; it is not used.
      .catch((error: Error) => callback?.(error, new Duplex()))
    return undefined
  }
  return agent
}
