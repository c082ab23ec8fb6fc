import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'

/** `place`: where it is defined, for people. */
type Taken = Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes'> & { readonly place: string }

/** Why there cannot be a function beside others: every event has one. Undefined: there can. */
export const conflictOf = (fn: Omit<Taken, 'place'>, others: readonly Taken[]): string | undefined => {
  for (const { name, kind, types, classes, place } of others) {
    if (name === fn.name) return `the name ${name} is taken by ${place}`
    const sameTypes = fn.types.filter(type => types.includes(type))
    const sameClasses = fn.classes.filter(extensionClass => classes.includes(extensionClass))
    if (kind === fn.kind && sameTypes.length > 0 && sameClasses.length > 0)
      return `${kind} of type ${sameTypes.join(', ')} in class ${sameClasses.join(', ')} has a function already: ${place}`
  }
  return undefined
}
