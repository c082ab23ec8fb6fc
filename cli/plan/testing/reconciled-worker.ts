import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { findFunctions } from '../../../functions/find-functions.ts'
import { findProviders } from '../../../functions/find-providers.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { ExtensionEvent } from '../../../shared/events/events.ts'
import { parseEventJson } from '../../../shared/events/events.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { chooseFunction } from '../../replay/choose-function.ts'
import { play } from '../../replay/play.ts'
import { createReplayEnvironment } from '../../replay/replay-environment.ts'
import { readObjects } from '../read-objects.ts'

/** The example of a Worker, as it is applied. */
export const example = fileURLToPath(new URL('../../../examples/worker/two-pools.yaml', import.meta.url))
const created = new URL('../../../test/events/worker-create.json', import.meta.url)

/** All objects of a seed in which the example runs: itself, its Cluster, Secrets, and what the function has made. */
export const reconciledWorker = async (): Promise<readonly KubernetesObject[]> => {
  const event = parseEventJson(JSON.parse(await readFile(created, 'utf8')))
  const [provider] = await findProviders()
  if (provider === undefined) throw new Error('there is no provider')
  const stage = await createReplayEnvironment({
    objects: await readObjects(example, Readable.from([])),
    clouds: [{ provider }],
  })
  try {
    const chosen = chooseFunction(await findFunctions(), event, undefined, 'the plan')
    stage.prepare(event, chosen.provider)
    for (let next: ExtensionEvent | undefined = event; next !== undefined; )
      next = (await play(stage, { file: '', event: next, chosen, live: false, first: false, follows: true }))
        .next
    const list = async (resource: GroupVersionResource, kind: string) =>
      (await stage.kubernetes.list(resource)).items.map(
        (item): KubernetesObject => ({
          ...item,
          kind,
          apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
        }),
      )
    return [
      ...(await list(clusterKind.resource, 'Cluster')),
      ...(await list(secrets, 'Secret')),
      ...(await list(kinds.Worker.resource, 'Worker')),
      ...(await list(machineKinds.MachineDeployment.resource, 'MachineDeployment')),
      ...(await list(machineKinds.MachineClass.resource, 'MachineClass')),
      ...(await list(machineKinds.MachineSet.resource, 'MachineSet')),
      ...(await list(machineKinds.Machine.resource, 'Machine')),
    ]
  } finally {
    await stage.close()
  }
}
