import { done } from '../../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../../shared/runtime/define-function.ts'

/** Networks with a step that takes the seconds at the end of their name: `network-3-takes-55`. It ignores aborts. */
export const definition = defineFunction({
  name: 'bench-slow',
  kind: 'Network',
  type: 'bench-slow',
  create: (_, { clock }) => ({
    reconcile: async ({ object }) => {
      await clock.sleep(Number(object.metadata.name.split('-').at(-1)) * 1_000)
      return done()
    },
    remove: async () => done(),
  }),
})
