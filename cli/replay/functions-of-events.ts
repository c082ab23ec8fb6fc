import { basename, dirname } from 'node:path'
import { type FoundFunction, findFunctions } from '../../functions/find-functions.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'

type NamedEvent = Pick<ExtensionEvent, 'kind' | 'provider' | 'extclass'>

/**
 * Returns the functions that events need: those of the folders that kind and provider, or `--function`, suggest. Loads
 * all functions only if these do not serve every event, because each one loads the SDK of its cloud.
 *
 * @param root the folder of functions. Default: that of this repository
 * @param given functions of other folders, which come first
 */
export const functionsOfEvents = async (
  events: readonly NamedEvent[],
  named: string | undefined,
  root: string | undefined,
  given: readonly FoundFunction[],
): Promise<readonly FoundFunction[]> => {
  if (given.length > 0 && events.every(event => isServed(given, event, undefined))) return []
  const own = await findFunctions(root, folder => events.some(event => isSuggested(folder, event, named)))
  return events.every(event => isServed(own, event, named)) ? own : findFunctions(root)
}

/** Returns true if a function of its usual folder has this name. */
export const isNameOfFunction = async (given: string, root: string | undefined): Promise<boolean> =>
  (await findFunctions(root, folder => usualName(folder) === given)).some(({ name }) => name === given)

const usualName = (folder: string): string => `${basename(dirname(folder))}-${basename(folder)}`

const isServed = (
  functions: readonly FoundFunction[],
  event: NamedEvent,
  named: string | undefined,
): boolean =>
  functions.some(fn =>
    named === undefined
      ? fn.kind === event.kind &&
        routedTypes(fn).includes(event.provider) &&
        fn.classes.some(extensionClass => extensionClass === event.extclass)
      : fn.name === named && fn.kind === event.kind,
  )

/** `functions/aws/dnsrecord` for DNSRecords of `aws-route53`, and for the name `aws-dnsrecord`. */
const isSuggested = (folder: string, { kind, provider }: NamedEvent, named: string | undefined): boolean => {
  const [of, kindOf] = [basename(dirname(folder)), basename(folder)]
  return named === undefined
    ? kindOf === kind.toLowerCase() && (provider === of || provider.startsWith(`${of}-`))
    : usualName(folder) === named
}
