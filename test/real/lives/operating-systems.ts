import { definition as gardenlinux } from '../../../functions/gardenlinux/operatingsystemconfig/function.ts'
import { definition as local } from '../../../functions/local/operatingsystemconfig/function.ts'
import { definition as suseChost } from '../../../functions/suse-chost/operatingsystemconfig/function.ts'
import { secrets } from '../../../functions/testing/function-seed.ts'
import { definition as ubuntu } from '../../../functions/ubuntu/operatingsystemconfig/function.ts'
import type { FunctionLife } from './function-life.ts'

/** Changes the user data of new machines, and thereby their Secret. */
const change = {
  spec: { purpose: 'provision', files: [], units: [{ name: 'other.service', command: 'start' }] },
}

export const operatingSystemLives: readonly FunctionLife[] = [gardenlinux, local, suseChost, ubuntu].map(
  definition => ({
    definition,
    example: `operatingsystemconfig/${definition.name.replace('-operatingsystemconfig', '')}.yaml`,
    change,
    // The target seed does not have it. Here, its deletion with its owner is simulated.
    move: async (kubernetes, namespace) => {
      const { items } = await kubernetes.list(secrets, { namespace })
      const owned = items.filter(({ metadata: { name } }) => name.startsWith('osc-result-'))
      for (const { metadata } of owned) await kubernetes.delete(secrets, { namespace, name: metadata.name })
      return undefined
    },
  }),
)
