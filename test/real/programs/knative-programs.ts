import { join } from 'node:path'
import { goPrograms, outputOf } from '../../../build/programs/programs.ts'
import { type PodMachinePrograms, podMachinePart } from '../knative/machine/pod-machine-part.ts'
import { type KubePrograms, kubeControllerManager, kubePrograms } from './kube-programs.ts'

/** Knative and everything it runs on. */
export interface KnativePrograms extends KubePrograms, PodMachinePrograms {
  readonly kubeControllerManager: string
  /** Paths of Knative's programs by package: `knative.dev/serving/cmd/queue`. */
  readonly programs: Readonly<Record<string, string>>
  /** Folders of Knative's modules, which contain its manifests. */
  readonly modules: Readonly<Record<(typeof modules)[number], string>>
}

const modules = ['eventing', 'serving', 'networking', 'caching'] as const

const commands = {
  eventing: [
    ...['apiserver_receive_adapter', 'broker/filter', 'broker/ingress', 'controller', 'mtchannel_broker'],
    ...['in_memory/channel_controller', 'in_memory/channel_dispatcher', 'webhook'],
  ],
  serving: ['activator', 'autoscaler', 'controller', 'queue', 'webhook'],
} as const

const module = join(import.meta.dirname, '..', 'knative/programs')

/** Returns Knative's programs, built once from the versions in `test/real/knative/programs/go.mod`. */
export const knativePrograms = async (environment: NodeJS.ProcessEnv): Promise<KnativePrograms> => ({
  ...(await podMachinePart()),
  ...(await kubePrograms(environment)),
  kubeControllerManager: await kubeControllerManager(environment),
  programs: { ...(await built(environment, 'eventing')), ...(await built(environment, 'serving')) },
  modules: await moduleFolders(environment),
})

const built = async (
  environment: NodeJS.ProcessEnv,
  part: keyof typeof commands,
): Promise<Readonly<Record<string, string>>> => {
  const packages = commands[part].map(command => {
    const path = `knative.dev/${part}/cmd/${command}`
    return [path.split('/').at(-1) ?? path, path] as const
  })
  const folder = await goPrograms(environment, {
    what: `Knative's programs of ${part}`,
    module,
    name: `knative-${part}`,
    packages: Object.fromEntries(packages),
    takes: 'about three minutes on two cores',
  })
  return Object.fromEntries(packages.map(([name, path]) => [path, join(folder, name)]))
}

const moduleFolders = async (environment: NodeJS.ProcessEnv): Promise<KnativePrograms['modules']> => {
  const paths = modules.map(name => `knative.dev/${name}`)
  const env = { ...environment, GOFLAGS: '-mod=readonly' }
  const output = await outputOf('go', ['mod', 'download', '-json', ...paths], { cwd: module, env })
  const downloaded = output
    .split(/(?<=^\})\n/m)
    .map(text => JSON.parse(text) as { readonly Path: string; readonly Dir: string })
  const folderOf = (name: string) => downloaded.find(({ Path }) => Path === `knative.dev/${name}`)?.Dir
  return Object.fromEntries(modules.map(name => [name, folderOf(name)])) as KnativePrograms['modules']
}
