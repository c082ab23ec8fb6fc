/** What somebody beside the functions calls a simulated AWS with: their calls are not part of a seed's story. */
export const operatorCredentials = {
  accessKeyId: 'AKIASANDBOX000000000',
  secretAccessKey: 'sandbox',
} as const
