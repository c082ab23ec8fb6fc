import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

/**
 * How long one address of a name may take before the next one is tried, in ms: a lost SYN is sent again after 1 s
 * (RFC 6298, section 2), and two addresses fit into every time limit of a connection.
 */
export const attemptMs = 3_000

/**
 * Lets each address of a name have time to answer. Node gives up an address after 250 ms (`net.connect`,
 * `autoSelectFamilyAttemptTimeout`): with an address that has no route, a slow server is then never reached.
 * `prepareProcess` calls it in each process of Trellis.
 */
export const patientConnections = (): void => setDefaultAutoSelectFamilyAttemptTimeout(attemptMs)
