import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type ImageConfig, nodeOfBase } from '../../../build/images/images.ts'

/** Starts a process of an unpacked image on this machine. */
export interface ImageRunner {
  /** Describes the runner, and the properties of the image that it does not support. */
  readonly about: string
  /** True if user, root and folder are those of the image. Otherwise only the program and its libraries are. */
  readonly isContained: boolean
  /** Returns the command and arguments that start a command of the image. */
  readonly command: (args: readonly string[]) => readonly string[]
}

/** The root is a separate mount, so that it can be read-only. Every container has /proc. */
const contained = `
mount --bind "$ROOT" "$ROOT" && mount --rbind /proc "$ROOT/proc" && mount -o remount,bind,ro "$ROOT" && exec "$@"`

/**
 * Selects the best runner for this machine: as root with the image's user, root and folder; with a user namespace and
 * the same; otherwise with the image's loader and libraries on the machine's file system.
 */
export const imageRunner = async (root: string, config: ImageConfig): Promise<ImageRunner> => {
  const [user = '', group = user] = (config.User ?? '').split(':')
  const place = [`--root=${root}`, `--wd=${config.WorkingDir ?? '/'}`]
  const inside = (outer: readonly string[], inner: readonly string[]) => (args: readonly string[]) => [
    ...['env', `ROOT=${root}`, 'unshare', ...outer, '--mount', 'sh', '-c', contained, 'contained'],
    ...['unshare', ...inner, ...place, ...args],
  ]
  const [node = ''] = config.Entrypoint ?? []
  const runners: readonly ImageRunner[] = [
    {
      about: 'as root, with the user, the read-only root and the folder of the image',
      isContained: true,
      command: inside([], [`--setuid=${user}`, `--setgid=${group}`]),
    },
    {
      about: 'in a user namespace, with the user, the read-only root and the folder of the image',
      isContained: true,
      command: inside(['--map-root-user'], [`--map-user=${user}`, `--map-group=${group}`]),
    },
  ]
  const works = runners.find(({ command }) => {
    const [program = '', ...args] = command([node, '--print', 'process.getuid()'])
    return spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() === user
  })
  if (works !== undefined) return works
  const started = await nodeOfBase(root, node)
  return {
    about: 'by its own loader and libraries alone: this machine allows neither root nor user namespaces',
    isContained: false,
    command: ([, ...args]) => [
      ...started,
      ...args.map(arg => (arg.startsWith('/trellis') ? join(root, arg) : arg)),
    ],
  }
}
