/** The credentials of calls to a simulated AWS that no function makes. These calls do not appear in a seed's story. */
export const operatorCredentials = {
  accessKeyId: 'AKIASANDBOX000000000',
  secretAccessKey: 'sandbox',
} as const
