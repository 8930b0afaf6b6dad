export const summarise = async (..._a: unknown[]): Promise<any> => ({});
