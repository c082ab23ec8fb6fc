import type { FunctionDefinition } from './definition/definition.ts'
import { serveFunctions } from './host.ts'
import { prepareProcess } from './prepare-process.ts'
import { reportPort } from './report-port.ts'
import { closeOnTermination } from './termination.ts'
import { startFailure, wireFunctions } from './wire-function.ts'

/**
 * Runs the process of several functions. It starts and ends like `bootFunction`.
 *
 * @param name the name of the process in logs: `aws-compact`
 */
export const bootFunctions = async (
  name: string,
  definitions: readonly FunctionDefinition[],
): Promise<void> => {
  prepareProcess({ survivesFullDisk: true })
  try {
    const { printable, ...wired } = await wireFunctions(name, definitions, process.env)
    const host = await serveFunctions(wired)
    wired.log.info('functions serve', { url: host.url, settings: printable })
    wired.reports.serves()
    closeOnTermination(async () => {
      await host.close()
      await wired.reports.close()
    })
    reportPort(host.port)
  } catch (error) {
    process.exitCode = startFailure(name, error)
  }
}
