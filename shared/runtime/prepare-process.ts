import { endWithOutput } from './end-with-output.ts'
import { patientConnections } from './start/patient-connections.ts'

/** The first call of every program: connections are patient, and the process ends when the reader of its output has gone. */
export const prepareProcess = (options?: Parameters<typeof endWithOutput>[1]): void => {
  patientConnections()
  endWithOutput(process, options)
}
