import type { FunctionDefinition } from './definition/definition.ts'
import { serveFunctions } from './host.ts'
import { closeOnTermination } from './termination.ts'
import { startFailure, wireFunctions } from './wire-function.ts'

/**
 * The process of several functions in our own host, which starts and ends as that of one (`bootFunction`).
 *
 * @param name of the process, in logs: `aws-compact`
 */
export const bootFunctions = async (
  name: string,
  definitions: readonly FunctionDefinition[],
): Promise<void> => {
  try {
    const { printable, ...wired } = await wireFunctions(name, definitions, process.env)
    const host = await serveFunctions(wired)
    wired.log.info('functions serve', { url: host.url, settings: printable })
    closeOnTermination(host.close)
  } catch (error) {
    process.exitCode = startFailure(name, error)
  }
}
