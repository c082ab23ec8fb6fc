import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { type History, history } from './history.ts'
import type { Life, OwnObject } from './life.ts'

export type AwsLife = Life<AwsSide>

/** Returns a function that creates histories of a kind with AWS. Their names begin with the first function. */
export const awsHistories =
  (kind: OwnObject['kind'] | 'shoot') =>
  (
    title: string,
    functions: readonly string[],
    course: (life: AwsLife) => Promise<void>,
    points?: History['points'],
    except?: History['except'],
  ): History =>
    history({
      name: `${functions[0]}: ${title}`,
      functions,
      kinds: [kind],
      ...(points && { points }),
      ...(except && { except }),
      cloud: createAwsSide,
      course,
    })

/** Returns the Infrastructure of the shoot, to name it. */
export const infrastructureOf = ({ world }: AwsLife): OwnObject => {
  const { metadata, status } = world.cloud.shoot
  return { kind: 'Infrastructure', key: { name: metadata.name, namespace: status.technicalID }, spec: {} }
}

/** Runs gardenlet until it has created the Infrastructure of the shoot, and before it the Cluster and the Secrets. */
export const beginShoot = async (life: AwsLife): Promise<void> => {
  const end = new AbortController()
  const began = life.seed
    .gardenlet(end.signal)
    .reconcile(life.world.cloud.shoot)
    .catch(() => {})
  await life.until('the Infrastructure', async () => (await life.live(infrastructureOf(life))) !== undefined)
  end.abort(new Error('the rest of the shoot does not matter'))
  await began
}
