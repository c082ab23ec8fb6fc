import { join } from 'node:path'
import { MissingProgramError } from '../../../../build/programs/programs.ts'
import { runCommand } from './container/run-command.ts'

export interface PodMachinePrograms {
  readonly node: string
}

const tryOut = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/upper /run/work /run/root
mount -t overlay overlay -o lowerdir=/,upperdir=/run/upper,workdir=/run/work /run/root
ip netns add pod
ip link add cni0 type bridge
ip link add one type veth peer name two netns pod
nsenter --root=/run/root --wd=/run/root --setgid 1 --setuid 1 true
`

/** Returns the programs of a machine for Pods. Throws a `MissingProgramError` if this host does not allow it. */
export const podMachinePart = async (): Promise<PodMachinePrograms> => {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const tried = await runCommand(['unshare', ...namespaces, 'sh', '-c', tryOut]).catch(error => ({
    code: 1,
    output: String(error),
  }))
  if (tried.code !== 0) {
    throw new MissingProgramError(
      `cannot create namespaces for pods: ${tried.output.trim()}. Run as root on Linux with iproute2, util-linux and overlayfs.`,
    )
  }
  const root = join(import.meta.dirname, '..', '..', '..', '..')
  return { node: join(root, 'node_modules', 'node', 'bin', 'node') }
}
