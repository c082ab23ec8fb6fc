import { done } from '../../../../shared/lifecycle/lifecycle.ts'
import { bootFunctions } from '../../../../shared/runtime/boot-functions.ts'
import { defineFunction } from '../../../../shared/runtime/define-function.ts'
import { definition as networks } from './slow-function.ts'

/** Like the Networks beside it: a step takes the seconds at the end of the object's name. It ignores aborts. */
const runtimes = defineFunction({
  name: 'bench-slow-runtime',
  kind: 'ContainerRuntime',
  type: 'bench-slow',
  create: (_, { clock }) => ({
    reconcile: async ({ object }) => {
      await clock.sleep(Number(object.metadata.name.split('-').at(-1)) * 1_000)
      return done()
    },
    remove: async () => done(),
  }),
})

await bootFunctions('bench-compact', [networks, runtimes])
