import { definition as gardenlinux } from '../../../functions/gardenlinux/operatingsystemconfig/function.ts'
import { definition as local } from '../../../functions/local/operatingsystemconfig/function.ts'
import { definition as suseChost } from '../../../functions/suse-chost/operatingsystemconfig/function.ts'
import { secrets } from '../../../functions/testing/function-seed.ts'
import { definition as ubuntu } from '../../../functions/ubuntu/operatingsystemconfig/function.ts'
import type { FunctionLife } from './function-life.ts'

/** Another user data of new machines: their Secret changes. */
const change = {
  spec: { purpose: 'provision', files: [], units: [{ name: 'other.service', command: 'start' }] },
}

export const operatingSystemLives: readonly FunctionLife[] = [gardenlinux, local, suseChost, ubuntu].map(
  definition => ({
    definition,
    example: `operatingsystemconfig/${definition.name.replace('-operatingsystemconfig', '')}.yaml`,
    change,
    // In the seed that it comes to there is none; here it would go with its owner.
    move: async (kubernetes, namespace) => {
      const { items } = await kubernetes.list(secrets, { namespace })
      const owned = items.filter(({ metadata: { name } }) => name.startsWith('osc-result-'))
      for (const { metadata } of owned) await kubernetes.delete(secrets, { namespace, name: metadata.name })
      return undefined
    },
  }),
)
