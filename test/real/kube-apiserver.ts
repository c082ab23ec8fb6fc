import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  ClusterAccess,
  GroupVersionResource,
  KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { httpTransport, readText } from '../../shared/kubernetes/kubernetes.ts'
import { answerOf } from './answer-of.ts'
import { type AuditedRequest, type ServiceAccount, startAudit } from './audit.ts'
import { type RunningEtcd, startEtcd } from './etcd.ts'
import { onFreePorts } from './free-port.ts'
import { type KubeIdentity, makeKubeIdentity } from './kube-identity.ts'
import type { KubePrograms } from './programs/kube-programs.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export interface RunningApiServer {
  readonly url: string
  /** Access as a member of `system:masters`, by token and over TLS. */
  readonly access: ClusterAccess
  /** Returns the same access by another address, such as that in its network. */
  accessAt(server: string): ClusterAccess
  /**
   * Returns the path of a kubeconfig with the same access, or with that of an existing service account. Default of
   * `server`: `url`.
   */
  kubeconfig(serviceAccount?: ServiceAccount, server?: string): Promise<string>
  /** Returns a token of an existing service account for this audience. */
  token(serviceAccount: ServiceAccount, audience: string): Promise<string>
  /** Kills kube-apiserver and restarts it at the same address. Connections break, stored objects remain. */
  restart(): Promise<void>
  /** Stops it with SIGSTOP: connections remain, but no request is answered until `thaw`. */
  freeze(): void
  thaw(): void
  /**
   * Writes objects to etcd in a format that kube-apiserver reads, in a tenth of the time, with their status and times.
   * Nothing validates them.
   */
  store(resource: GroupVersionResource, objects: readonly KubernetesObject[]): Promise<void>
  /**
   * Makes every current version too old to watch or to page from. This requires a compaction of etcd and a restart,
   * because kube-apiserver answers from its watch cache for versions that etcd has compacted.
   */
  forgetHistory(): Promise<void>
  /** Returns the requests of audited service accounts. Empty if none is audited. */
  audited(): Promise<readonly AuditedRequest[]>
  close(): Promise<void>
}

export interface KubeApiServerOptions {
  /** The service accounts to audit. Default: none. */
  readonly audited?: readonly ServiceAccount[]
  /** Additional flags: `--feature-gates=WatchList=false` disables streamed lists. */
  readonly flags?: readonly string[]
  /** Default: the network of this process. */
  readonly network?: ServerNetwork
}

/** Another network namespace in which Pods reach the server by its usual address. */
export interface ServerNetwork {
  /** The start of a command that runs in it. */
  readonly within: readonly string[]
  /** The address of the server in it, at port 443: the first of the Services. */
  readonly address: string
  readonly serviceRange: string
  /** Opens a port of 127.0.0.1 that leads to an address in it. */
  openInside(host: string, port: number): Promise<{ readonly port: number; close(): Promise<void> }>
}

/**
 * Starts a kube-apiserver with its own etcd, without controllers and nodes. A deleted namespace therefore remains
 * Terminating forever. Takes about two seconds and 300 MB. Everything is removed after `close` or when this process
 * ends.
 */
export const startKubeApiServer = async (
  programs: KubePrograms,
  { audited, flags = [], network }: KubeApiServerOptions = {},
): Promise<RunningApiServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-kube-'))
  const etcd = startEtcd(programs.etcd, folder)
  try {
    const identity = await makeKubeIdentity(folder, network ? [network.address] : [])
    const audit = audited && (await startAudit(folder, audited))
    const door = await network?.openInside(network.address, insidePort)
    const start = (port: number) =>
      serve(programs, folder, etcd, identity, port, network, [...(audit?.args ?? []), ...flags])
    const first = door
      ? { server: await start(door.port), port: door.port }
      : await onFreePorts(1, async (port = 0) => ({ server: await start(port), port }))
    const { port } = first
    let server = first.server
    const url = `https://127.0.0.1:${port}`
    const access = identity.accessTo(url)
    const writeKubeconfig = async (name: string, at: string, token?: string): Promise<string> => {
      const path = join(folder, `${name}-${new URL(at).hostname}.kubeconfig`)
      await writeFile(path, identity.kubeconfigFor(at, token), { mode: 0o600 })
      return path
    }
    const restart = async () => {
      await server.stop()
      server = await start(port)
    }
    return {
      url,
      access,
      accessAt: identity.accessTo,
      kubeconfig: async (account, at = url) =>
        account
          ? writeKubeconfig(`${account.namespace}-${account.name}`, at, await tokenOf(access, account))
          : writeKubeconfig('administrator', at),
      token: (account, audience) => tokenOf(access, account, { audiences: [audience] }),
      restart,
      freeze: () => server.signal('STOP'),
      thaw: () => server.signal('CONT'),
      store: ({ group, plural }, objects) =>
        etcd.put(
          objects.map(object => [
            ['/registry', group, plural, object.metadata.namespace, object.metadata.name]
              .filter(part => part !== undefined && part !== '')
              .join('/'),
            JSON.stringify(object),
          ]),
        ),
      forgetHistory: async () => {
        await etcd.compact()
        await restart()
      },
      audited: async () => audit?.requests() ?? [],
      close: async () => {
        await server.stop()
        await door?.close()
        await etcd.close()
      },
    }
  } catch (error) {
    await etcd.close()
    throw new Error(`starting kube-apiserver; etcd said: ${etcd.output() || 'nothing'}`, { cause: error })
  }
}

const insidePort = 443

/** Returns a token of a service account from the TokenRequest API, valid for an hour. */
const tokenOf = async (
  access: ClusterAccess,
  { namespace, name }: ServiceAccount,
  spec: object = {},
): Promise<string> => {
  const transport = httpTransport({ access })
  try {
    const { status, body } = await transport.send({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }),
    })
    const text = await readText(body)
    if (status !== 201) throw new Error(`asking for a token of ${namespace}/${name}: ${status} ${text}`)
    return (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token
  } finally {
    transport.close()
  }
}

/** Resolves when the server reports that it is ready. */
const serve = async (
  programs: KubePrograms,
  folder: string,
  etcd: RunningEtcd,
  { files, accessTo }: KubeIdentity,
  port: number,
  network: ServerNetwork | undefined,
  more: readonly string[] = [],
): Promise<ServerProcess> => {
  const address = network?.address ?? '127.0.0.1'
  const [command = '', ...args] = [...(network?.within ?? []), programs.kubeApiserver]
  const server = startServerProcess({
    command,
    args: [
      ...args,
      ...[`--etcd-servers=${etcd.url}`, `--bind-address=${address}`],
      `--secure-port=${network ? insidePort : port}`,
      // Without it, the server searches for a network interface other than loopback.
      ...[`--advertise-address=${address}`, '--endpoint-reconciler-type=none'],
      ...[`--tls-cert-file=${files.certificate}`, `--tls-private-key-file=${files.key}`],
      ...[`--token-auth-file=${files.tokens}`, '--anonymous-auth=false', '--authorization-mode=RBAC'],
      ...['--service-account-issuer=https://kubernetes.default.svc'],
      ...[`--service-account-key-file=${files.serviceAccountKey}`],
      ...[`--service-account-signing-key-file=${files.serviceAccountKey}`],
      `--service-cluster-ip-range=${network?.serviceRange ?? '10.0.0.0/24'}`,
      `--cert-dir=${join(folder, 'generated')}`,
      // This plugin refuses pods until a controller has created their service account, and mounts its token.
      ...(network ? [] : ['--disable-admission-plugins=ServiceAccount']),
      // As in every seed and shoot: volume drivers mount their volumes.
      '--allow-privileged=true',
      ...more,
    ],
    // A quarter less CPU time than with the usual 100, for half as much memory again.
    env: { ...process.env, GOGC: '300' },
  })
  const transport = httpTransport({ access: accessTo(`https://127.0.0.1:${port}`) })
  try {
    await answerOf('kube-apiserver', server, async () => {
      const { status, body } = await transport.send({ method: 'GET', path: '/readyz', headers: {} })
      const text = await readText(body)
      return status === 200 ? text : undefined
    })
    return server
  } catch (error) {
    await server.stop()
    throw error
  } finally {
    transport.close()
  }
}
