/**
 * The most calls that a loop within one action makes while AWS refuses each for a reason that another value may avoid:
 * a taken block, a used token. Then the action ends, and the next step continues. AWS limits the calls of a whole
 * account ("Request throttling for the Amazon EC2 API", EC2 Developer Guide), so a long loop would throttle all of its
 * users.
 */
export const mostAttempts = 5
