import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { findFunctions } from '../../../functions/find-functions.ts'
import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import type { ExtensionEvent } from '../../../shared/events/events.ts'
import { parseEventJson } from '../../../shared/events/events.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { chooseFunction } from '../../replay/choose-function.ts'
import { play } from '../../replay/play.ts'
import { createReplayEnvironment } from '../../replay/replay-environment.ts'
import { readObjects } from '../read-objects.ts'

export interface Reconciled {
  /** A file of the examples, with its absolute path. */
  readonly example: string
  /** The saved event that creates it: `worker-create`. */
  readonly event: string
  /** The resources to list at the end, by kind. */
  readonly resources: Readonly<Record<string, GroupVersionResource>>
}

/**
 * Returns all objects of a seed with an example: the example itself, and the objects that the function has created.
 */
export const reconciledObjects = async ({
  example,
  event: saved,
  resources,
}: Reconciled): Promise<readonly KubernetesObject[]> => {
  const file = new URL(`../../../test/events/${saved}.json`, import.meta.url)
  const event = parseEventJson(JSON.parse(await readFile(file, 'utf8')))
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
    const listed = await Promise.all(
      Object.entries(resources).map(async ([kind, resource]) =>
        (await stage.kubernetes.list(resource)).items.map(
          (item): KubernetesObject => ({
            ...item,
            kind,
            apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
          }),
        ),
      ),
    )
    return listed.flat()
  } finally {
    await stage.close()
  }
}
