import { definition } from '../../../functions/openstack/infrastructure/function.ts'
import { simulatedCloud } from '../../../functions/openstack/provider/testing/simulated-cloud.ts'
import { createSteppedSeed, readExample } from '../../../sandbox/stepped-seed/stepped-seed.ts'

const example = new URL('../../../examples/openstack/infrastructure.yaml', import.meta.url)

/** A seed with the Infrastructure `nova`, and its OpenStack. */
export const openstackSeed = async (isApplied = true) => {
  const { openstack, connection, clock } = simulatedCloud({ furnished: true })
  const { object: last, beside: others } = await readExample(example)
  const documents = [...others, last]
  const object = documents.find(({ kind }) => kind === 'Infrastructure') ?? last
  const beside = documents.filter(({ kind }) => ['Namespace', 'Cluster', 'Secret'].includes(kind))
  const seed = createSteppedSeed({ definition, clock, objects: beside, connection, waits: 'advance' })
  if (isApplied) await seed.apply(object)
  return { seed, openstack, connection, clock, object }
}
