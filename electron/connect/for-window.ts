/** Connects clients for the window: shows each change first, and makes only the one that the person agreed to. */
import type { ClientChange, ClientState, ConnectResult } from '../../shared/agents/clients.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { clientNamed } from '../agents/agents.ts';
import type { ClientsApi } from '../host/host.ts';
import { clientStates } from './client-states.ts';
import { connect, disconnect } from './connect.ts';
import type { ConnectContext } from './place.ts';

/** `place` is null where no command can be started for a client: then both methods reject, and say so. */
export function clientsForWindow(place: ConnectContext | null): ClientsApi {
  const known = (): ConnectContext => {
    if (place !== null) return place;
    throw new SpillwayError(
      'unsupported',
      'agents cannot be connected from here: there is no Node.js on the PATH',
      'install Node.js, or run `spillway connect` where it is',
    );
  };
  return {
    clients: async (): Promise<ClientState[]> => clientStates(known()),
    changeClient: async (change: ClientChange): Promise<ConnectResult> => {
      const client = clientNamed(change.client);
      const seen = change.agreed === null ? { print: true } : { print: false, agreed: change.agreed };
      if (change.action === 'remove') return disconnect(client, known(), seen);
      const { record, proxied } = change;
      return connect(client, known(), { record, proxied, ...seen });
    },
  };
}
