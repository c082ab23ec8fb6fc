import { defineFunction } from '../../../shared/runtime/define-function.ts'

/** Follows Networks of type `acme`, whose primary controller may be anybody's. */
export const definition = defineFunction({
  role: 'secondary',
  name: 'acme-network',
  kind: 'Network',
  type: 'acme',
  classes: ['shoot'],
  // TODO: Name the conditions that the function writes. No other controller writes them.
  conditions: ['Followed'],
  create: () => ({
    observe: async ({ object }) => {
      // TODO: Write objects of your own with `ownerReferences: [owner]`, and list their permissions in the definition.
      const message = `the spec of generation ${object.metadata.generation} is followed`
      return { conditions: { Followed: { status: 'True', reason: 'SpecSeen', message } } }
    },
  }),
})
