import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'

/** `place`: the location of its definition, for messages. */
type Taken = Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes'> & {
  readonly place: string
  readonly secondary?: object
}

/**
 * Returns why a function conflicts with others, because an object has exactly one primary function. Returns
 * undefined if there is no conflict.
 */
export const conflictOf = (fn: Omit<Taken, 'place'>, others: readonly Taken[]): string | undefined => {
  for (const { name, kind, types, classes, place, secondary } of others) {
    if (name === fn.name) return `the name ${name} is already used by ${place}`
    if ((secondary ?? fn.secondary) !== undefined) continue
    const sameTypes = fn.types.filter(type => types.includes(type))
    const sameClasses = fn.classes.filter(extensionClass => classes.includes(extensionClass))
    if (kind === fn.kind && sameTypes.length > 0 && sameClasses.length > 0)
      return `${kind} of type ${sameTypes.join(', ')} in class ${sameClasses.join(', ')} already has a function: ${place}`
  }
  return undefined
}
