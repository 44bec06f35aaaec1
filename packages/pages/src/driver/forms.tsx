import type { JSX, TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import SignaturePad from 'signature_pad';
import { type Actions, codeField, frame, statusOf, type View } from './home.tsx';
import { blobOf, shrink } from './images.ts';
import { type Action, codesIn, type Draft, type FormName, isHandoverCode } from './queue.ts';

interface FormProps {
  view: View;
  actions: Actions;
  /** What is entered already. */
  draft: Draft;
}

/** What is entered. Each change is stored, so that it survives the page. */
function useDraft({ actions, draft: stored }: FormProps): [Draft, (change: Draft) => void] {
  const [draft, setDraft] = useState(stored);
  const change = (part: Draft) => {
    setDraft((known) => ({ ...known, ...part }));
    actions.saveDraft(part);
  };
  return [draft, change];
}

type Files = Parameters<Actions['add']>[1];

/** Adds an action once, and goes back when it is stored on the phone. */
function useSubmit({ view: { messages }, actions }: FormProps) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (action: Action, files: Files, { happened }: Draft): Promise<void> => {
    setBusy(true);
    const refusal = await actions.add(action, files, happened);
    if (!refusal) return actions.close(); // still busy: a second tap must not add it again
    setBusy(false);
    setError(messages[refusal]);
  };
  return { error, isBusy, submit };
}

/** A form in the place of the whole screen, its button where the thumb is. */
function sheet(
  { view, actions }: Pick<FormProps, 'view' | 'actions'>,
  title: string,
  {
    button,
    isReady,
    hint,
    error,
    onSubmit,
  }: { button: string; isReady: boolean; hint?: string | undefined; error: string | undefined; onSubmit: () => void },
  ...fields: (JSX.Element | undefined)[]
): JSX.Element {
  const send = (event: Event) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return frame(
    view,
    <form class="sheet" onSubmit={send}>
      <main>
        <h1>{title}</h1>
        {fields}
      </main>
      <footer>
        {hint && <p class="note">{hint}</p>}
        {error && (
          <p class="note" role="alert">
            {error}
          </p>
        )}
        <button type="submit" class="big" disabled={!isReady}>
          {button}
        </button>
        <button type="button" onClick={actions.close}>
          {view.messages.back}
        </button>
      </footer>
    </form>,
  );
}

interface PhotosProps {
  view: View;
  photos: Blob[];
  max: number;
  change: (photos: Blob[]) => void;
}

/** Takes photos with the camera, and shows them small. */
function Photos({ view: { messages }, photos, max, change }: PhotosProps): JSX.Element {
  const [isBad, setBad] = useState(false);
  const [urls, setUrls] = useState<string[]>([]);
  useEffect(() => {
    const made = photos.map((photo) => URL.createObjectURL(photo));
    setUrls(made);
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [photos]);
  const take = async (event: TargetedEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const chosen = [...(input.files ?? [])].slice(0, max - photos.length);
    try {
      setBad(false);
      change([...photos, ...(await Promise.all(chosen.map(shrink)))]);
    } catch {
      setBad(true);
    }
    input.value = '';
  };
  return (
    <div class="photos">
      {urls.map((url, index) => (
        <figure key={url}>
          <img src={url} alt={messages.photo(index + 1)} />
          <button
            type="button"
            aria-label={messages.removePhoto(index + 1)}
            onClick={() => change(photos.filter((_, other) => other !== index))}
          >
            ×
          </button>
        </figure>
      ))}
      {photos.length < max && (
        <label class="button">
          {messages.addPhoto} ({photos.length}/{max})
          <input type="file" accept="image/*" capture="environment" onChange={take} />
        </label>
      )}
      {isBad && <p role="alert">{messages.badPhoto}</p>}
    </div>
  );
}

const noPhotos: Blob[] = [];

const asFiles = (photos: Blob[]): Files => photos.map((file) => ({ kind: 'photo', file }));

/** Reports an exception: with the form `nobody`, the one of the button "Nobody here". */
export function ProblemForm(props: FormProps & { form: FormName }): JSX.Element {
  const { view, actions, form } = props;
  const { messages } = view;
  const [draft, change] = useDraft(props);
  const { error, isBusy, submit } = useSubmit(props);
  const { description = '', photos = noPhotos } = draft;
  const code = form === 'nobody' ? 'nobody_there' : draft.code;
  const text = description.trim();
  const onSubmit = () =>
    code && submit({ kind: 'exception', code, ...(text && { description: text }) }, asFiles(photos), draft);
  const choices = codesIn(statusOf(view.link, view.items)).map((name) => (
    <label class="choice" key={name}>
      <input type="radio" name="code" checked={code === name} onChange={() => change({ code: name })} />
      {messages.exceptions[name]}
    </label>
  ));
  return sheet(
    { view, actions },
    form === 'nobody' ? messages.nobody : messages.wrong,
    { button: messages.report, isReady: code !== undefined && !isBusy, error, onSubmit: () => void onSubmit() },
    form === 'nobody' ? undefined : (
      <fieldset>
        <legend>{messages.whatHappened}</legend>
        {choices}
      </fieldset>
    ),
    <Photos view={view} photos={photos} max={5} change={(taken) => change({ photos: taken })} />,
    <label class="field">
      {messages.description}
      <textarea
        rows={3}
        maxLength={500}
        value={description}
        onInput={(event: TargetedEvent<HTMLTextAreaElement>) => change({ description: event.currentTarget.value })}
      />
    </label>,
  );
}

interface SignatureProps {
  view: View;
  /** What is drawn already. */
  drawn: Blob | undefined;
  /** Gets the picture while something is drawn, else undefined. */
  change: (picture: Blob | undefined) => void;
}

/** A field to sign on with a finger. */
function Signature({ view: { messages }, drawn, change }: SignatureProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [pad, setPad] = useState<SignaturePad>();
  /** Of the last change: a picture that is made meanwhile is old. */
  const newest = useRef(0);
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    // The lines keep their form on every screen: a point of the canvas is a pixel of it.
    const scale = Math.max(devicePixelRatio, 1);
    canvas.width = canvas.offsetWidth * scale;
    canvas.height = canvas.offsetHeight * scale;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.scale(scale, scale);
    const made = new SignaturePad(canvas, { backgroundColor: '#fff', penColor: '#10233a' });
    const isNew = () => {
      const own = ++newest.current;
      return () => own === newest.current;
    };
    made.addEventListener('beginStroke', isNew);
    made.addEventListener('endStroke', async () => {
      const isNewest = isNew();
      const picture = await blobOf(canvas, 'image/png');
      if (isNewest()) change(picture);
    });
    if (drawn) {
      const isNewest = isNew();
      void createImageBitmap(drawn).then((image) => {
        const fit = Math.min(canvas.offsetWidth / image.width, canvas.offsetHeight / image.height);
        if (isNewest()) context.drawImage(image, 0, 0, image.width * fit, image.height * fit);
      });
    }
    setPad(made);
    return () => {
      newest.current++;
      made.off();
    };
  }, []);
  const clear = () => {
    newest.current++;
    pad?.clear();
    change(undefined);
  };
  return (
    <div class="signature">
      <p class="signature-top">
        {messages.signature}
        <button type="button" onClick={clear}>
          {messages.clear}
        </button>
      </p>
      <canvas ref={ref} role="img" aria-label={messages.signature} />
    </div>
  );
}

/** Milliseconds between two questions for the location while a form is open: the vehicle may move meanwhile. */
const locationInterval = 30_000;

/** Collects the proof of delivery: who signs and the signature, or a photo of what is left; and where, if the phone knows it. */
export function ProofForm(props: FormProps): JSX.Element {
  const { view, actions } = props;
  const { messages } = view;
  const [draft, change] = useDraft(props);
  const { signedBy = '', isUnattended = false, handoverCode = '', photos = noPhotos, signature } = draft;
  const [place, setPlace] = useState<'finding' | 'found' | 'failed'>('finding');
  const { error, isBusy, submit } = useSubmit(props);
  const findAgain = () => void actions.find().then((isFound) => setPlace(isFound ? 'found' : 'failed'));
  const find = () => {
    setPlace('finding');
    findAgain();
  };
  useEffect(() => {
    find();
    const timer = setInterval(findAgain, locationInterval);
    return () => clearInterval(timer);
  }, []);
  const name = signedBy.trim();
  const needsCode = view.link?.shipment?.handover_code_required === true;
  const missing = [
    needsCode && !isHandoverCode(handoverCode) && messages.handoverCode,
    !isUnattended && !name && messages.signedBy,
    !isUnattended && !signature && messages.signature,
    isUnattended && photos.length === 0 && messages.photo(1),
    place === 'finding' && messages.location,
  ];
  const onSubmit = () => {
    const proof = { kind: 'proof', ...(needsCode && { handover_code: handoverCode }) } as const;
    if (isUnattended) return submit({ ...proof, unattended: true }, asFiles(photos), draft);
    const files: Files = [{ kind: 'signature', file: signature as Blob }, ...asFiles(photos)];
    return submit({ ...proof, signed_by: name }, files, draft);
  };
  // A new field is empty.
  const leave = (event: TargetedEvent<HTMLInputElement>) =>
    change({ isUnattended: event.currentTarget.checked, signature: undefined });
  const needed = missing.filter(Boolean).join(', ');
  return sheet(
    { view, actions },
    messages.proof,
    {
      button: messages.deliverNow,
      isReady: needed === '' && !isBusy,
      hint: needed === '' ? undefined : messages.missing(needed),
      error,
      onSubmit: () => void onSubmit(),
    },
    needsCode ? codeField(messages, handoverCode, (code) => change({ handoverCode: code })) : undefined,
    isUnattended ? undefined : (
      <label class="field">
        {messages.signedBy}
        <input
          maxLength={100}
          autocomplete="off"
          value={signedBy}
          onInput={(event: TargetedEvent<HTMLInputElement>) => change({ signedBy: event.currentTarget.value })}
        />
      </label>
    ),
    isUnattended ? undefined : (
      <Signature view={view} drawn={signature} change={(picture) => change({ signature: picture })} />
    ),
    view.link?.shipment?.signature_required ? undefined : (
      <label class="choice">
        <input type="checkbox" checked={isUnattended} onChange={leave} />
        {messages.unattended}
      </label>
    ),
    <Photos view={view} photos={photos} max={10} change={(taken) => change({ photos: taken })} />,
    <p class="where" role="status">
      {place === 'finding'
        ? messages.locating
        : place === 'failed'
          ? messages.withoutLocation
          : `✓ ${messages.located}`}
      {place === 'failed' && (
        <button type="button" onClick={find}>
          {messages.tryAgain}
        </button>
      )}
    </p>,
  );
}
