import { endWithOutput } from './end-with-output.ts'
import { patientConnections } from './start/patient-connections.ts'

/** The first call of every program: connections are patient, and the process ends with the reader of its output. */
export const prepareProcess = (options?: Parameters<typeof endWithOutput>[1]): void => {
  patientConnections()
  endWithOutput(process, options)
}
