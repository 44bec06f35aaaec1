import type { JSX, TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import SignaturePad from 'signature_pad';
import { type Actions, codeField, frame, type OpenForm, statusOf, type View } from './home.tsx';
import { blobOf, shrink } from './images.ts';
import { type Action, codeGroupsIn, type Draft, handoverCodeOf, isHandoverCode } from './queue.ts';

interface FormProps {
  view: View;
  actions: Actions;
  /** What is entered already. */
  form: OpenForm;
}

type Change = Draft | ((known: Draft) => Draft);

/**
 * What is entered. Each change is stored, so that it survives the page. A function gets what is entered by then: a photo that
 * took a while must not replace another one.
 */
function useDraft({ actions, form }: FormProps): [Draft, (change: Change) => void] {
  const [draft, setDraft] = useState(form.draft);
  const newest = useRef(form.draft);
  const change = (changed: Change) => {
    const part = typeof changed === 'function' ? changed(newest.current) : changed;
    newest.current = { ...newest.current, ...part };
    setDraft(newest.current);
    actions.saveDraft(form, part);
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
  change: (changed: (known: Blob[]) => Blob[]) => void;
  /** How many photos are made smaller at the moment. */
  taking: [count: number, add: (count: number) => void];
}

/** Takes photos with the camera, and shows them small. */
function Photos({ view: { messages }, photos, max, change, taking: [taking, addTaking] }: PhotosProps): JSX.Element {
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
    const chosen = [...(input.files ?? [])].slice(0, max - photos.length - taking);
    input.value = '';
    addTaking(chosen.length);
    try {
      setBad(false);
      const taken = await Promise.all(chosen.map(shrink));
      change((known) => [...known, ...taken]);
    } catch {
      setBad(true);
    }
    addTaking(-chosen.length);
  };
  return (
    <div class="photos">
      {urls.map((url, index) => (
        <figure key={url}>
          <img src={url} alt={messages.photo(index + 1)} />
          <button
            type="button"
            aria-label={messages.removePhoto(index + 1)}
            onClick={() => change((known) => known.filter((other) => other !== photos[index]))}
          >
            ×
          </button>
        </figure>
      ))}
      {photos.length + taking < max && (
        <label class="button">
          {messages.addPhoto} ({photos.length + taking}/{max})
          <input type="file" accept="image/*" capture="environment" onChange={take} />
        </label>
      )}
      {isBad && <p role="alert">{messages.badPhoto}</p>}
    </div>
  );
}

const noPhotos: Blob[] = [];

/** The photos of a draft, and how many of them are still made smaller: a form that is submitted before would lose them. */
function usePhotos([{ photos = noPhotos }, change]: ReturnType<typeof useDraft>) {
  const [taking, setTaking] = useState(0);
  return {
    photos,
    change: (changed: (known: Blob[]) => Blob[]) => change((known) => ({ photos: changed(known.photos ?? []) })),
    taking: [taking, (count: number) => setTaking((known) => known + count)] as PhotosProps['taking'],
  };
}

const asFiles = (photos: Blob[]): Files => photos.map((file) => ({ kind: 'photo', file }));

/** Reports an exception: with the form `nobody`, that of nobody there. */
export function ProblemForm(props: FormProps): JSX.Element {
  const { view, actions, form } = props;
  const { messages } = view;
  const entered = useDraft(props);
  const [draft, change] = entered;
  const { error, isBusy, submit } = useSubmit(props);
  const taken = usePhotos(entered);
  const isNobody = form.name === 'nobody';
  const code = isNobody ? 'nobody_there' : draft.code;
  const { description = '' } = draft;
  const text = description.trim();
  const onSubmit = () =>
    code && submit({ kind: 'exception', code, ...(text && { description: text }) }, asFiles(taken.photos), draft);
  const choices = codeGroupsIn(statusOf(view.link, view.items)).map(([group, codes]) => (
    <fieldset key={group}>
      <legend>{messages.groups[group]}</legend>
      {codes.map((name) => (
        <label class="choice" key={name}>
          <input type="radio" name="code" checked={code === name} onChange={() => change({ code: name })} />
          {messages.exceptions[name]}
        </label>
      ))}
    </fieldset>
  ));
  return sheet(
    { view, actions },
    isNobody ? messages.nobody : messages.wrong,
    {
      button: messages.report,
      isReady: code !== undefined && taken.taking[0] === 0 && !isBusy,
      error,
      onSubmit: () => void onSubmit(),
    },
    isNobody ? undefined : <div class="choices">{choices}</div>,
    <Photos view={view} max={5} {...taken} />,
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
  const picture = useRef(drawn);
  picture.current = drawn;
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    const made = new SignaturePad(canvas, { backgroundColor: '#fff', penColor: '#10233a' });
    made.addEventListener('beginStroke', () => void newest.current++);
    made.addEventListener('endStroke', async () => {
      const own = ++newest.current;
      const made = await blobOf(canvas, 'image/png');
      if (own === newest.current) change(made);
    });
    /** Fits the field, also after the phone was turned, and shows all of what is drawn in it. */
    const layOut = async (): Promise<void> => {
      // The lines keep their form on every screen: a point of the canvas is a pixel of it.
      const scale = Math.max(devicePixelRatio, 1);
      const [width, height] = [canvas.offsetWidth, canvas.offsetHeight];
      canvas.width = width * scale;
      canvas.height = height * scale;
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.scale(scale, scale);
      made.clear();
      if (!picture.current) return;
      const own = newest.current;
      const image = await createImageBitmap(picture.current);
      const fit = Math.min(width / image.width, height / image.height);
      if (own === newest.current && width === canvas.offsetWidth)
        context.drawImage(image, 0, 0, image.width * fit, image.height * fit);
    };
    const observer = new ResizeObserver(() => void layOut());
    observer.observe(canvas);
    setPad(made);
    return () => {
      newest.current++;
      observer.disconnect();
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
  const entered = useDraft(props);
  const [draft, change] = entered;
  const taken = usePhotos(entered);
  const { photos } = taken;
  const { signedBy = '', isUnattended = false, handoverCode = '', signature } = draft;
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
    (taken.taking[0] > 0 || (isUnattended && photos.length === 0)) && messages.photo(photos.length + 1),
    place === 'finding' && messages.location,
  ];
  const onSubmit = () => {
    const proof = { kind: 'proof', ...(needsCode && { handover_code: handoverCodeOf(handoverCode) }) } as const;
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
    <Photos view={view} max={10} {...taken} />,
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
