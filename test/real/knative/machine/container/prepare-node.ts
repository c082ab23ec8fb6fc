import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContainerMount } from './container-root.ts'
import { nodeAddress } from './pod-network.ts'
import { mustRun } from './run-command.ts'

/** The files of the node. All are on a tmpfs of the machine's mount namespace. */
export interface NodeFiles {
  readonly folder: string
  readonly emptyRoot: string
  /**
   * `/etc/hosts` of all containers. Write it in place: containers see this file itself, not its name. Append lines, so
   * that a reader never sees half of a changed line.
   */
  readonly hostsFile: string
  readonly mounts: readonly ContainerMount[]
}

/** Returns `/etc/resolv.conf` of a namespace. The name server knows all names of Services with and without their domain. */
export const resolverOf = (namespace: string): string =>
  `nameserver ${nodeAddress}\nsearch ${namespace}.svc.cluster.local\noptions ndots:1\n`

const folder = '/run/trellis'
const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** Prepares the mount namespace of this process: the node's files, and devices for containers. */
export const prepareNode = async (): Promise<NodeFiles> => {
  await mustRun(['mount', '-t', 'tmpfs', 'tmpfs', '/run'])
  const emptyRoot = join(folder, 'empty-root')
  for (const path of ['tmp', 'etc/ssl/certs', 'var/run'])
    await mkdir(join(emptyRoot, path), { recursive: true })
  await chmod(join(emptyRoot, 'tmp'), 0o1777)
  await copyFile(certificates, join(emptyRoot, certificates)).catch(() => {})
  const user = (name: string, id: number) => `${name}:x:${id}:${id}::/:/sbin/nologin\n`
  await writeFile(join(emptyRoot, 'etc/passwd'), user('root', 0) + user('nonroot', 65532))

  const devices = join(folder, 'dev')
  await mkdir(join(devices, 'shm'), { recursive: true })
  const numbers = { null: 3, zero: 5, full: 7, random: 8, urandom: 9 }
  for (const [name, minor] of Object.entries(numbers))
    await mustRun(['mknod', '-m', '666', join(devices, name), 'c', '1', String(minor)])
  for (const [index, name] of ['stdin', 'stdout', 'stderr'].entries())
    await mustRun(['ln', '-s', `/proc/self/fd/${index}`, join(devices, name)])
  await mustRun(['ln', '-s', '/proc/self/fd', join(devices, 'fd')])

  const hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '127.0.0.1 localhost\n')
  await writeFile(join(folder, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  const file = (name: string) => ({ source: join(folder, name), target: `/etc/${name}`, readOnly: true })
  return {
    folder,
    emptyRoot,
    hostsFile,
    mounts: [{ source: devices, target: '/dev', readOnly: false }, ...['hosts', 'nsswitch.conf'].map(file)],
  }
}
