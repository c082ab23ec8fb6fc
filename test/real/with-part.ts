import { describe, inject, type ProvidedContext, test } from 'vitest'

type Present<Name extends keyof ProvidedContext> = Exclude<ProvidedContext[Name], { missing: string }>

/**
 * Defines a suite that needs programs of the machine. Without them, it is skipped, and its name has the missing
 * program.
 */
export const describeWith = <Name extends keyof ProvidedContext>(
  part: Name,
  name: string,
  suite: (programs: Present<Name>) => void,
): void => {
  const programs = inject(part)
  if ('missing' in programs) describe(name, () => test.skip(programs.missing, () => {}))
  else describe(name, () => suite(programs as Present<Name>))
}
