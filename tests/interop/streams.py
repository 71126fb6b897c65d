"""Running simulations: what imdclient's test server sends, recorded by the program, against what was given to the server."""

import concurrent.futures
import types

import numpy as np
from comparisons import check

import isolume

ATOMS, FRAMES = 50, 6


def made_up_frames():
    """Positions, box and times of a few frames, in single precision."""
    random = np.random.default_rng(21)
    cell = np.array([[40, 0, 0], [3, 41, 0], [-2, 5, 42]], np.float32)
    frames = []
    for number in range(FRAMES):
        frames.append(
            types.SimpleNamespace(
                frame=number,
                dt=0.5,
                time=0.5 * number,
                triclinic_dimensions=cell + number * np.eye(3, dtype=np.float32),
                positions=random.uniform(-20, 20, (ATOMS, 3)).astype(np.float32),
                velocities=random.normal(0, 4, (ATOMS, 3)).astype(np.float32),
                forces=random.normal(0, 900, (ATOMS, 3)).astype(np.float32),
            )
        )
    return frames


class Frames(list):
    n_atoms = ATOMS


def streams(folder):
    from imdclient.IMDProtocol import IMDSessionInfo
    from imdclient.tests.server import InThreadIMDServer
    from MDAnalysis.coordinates.DCD import DCDReader

    structure = folder / "streamed.xyz"
    structure.write_text(f"{ATOMS}\n\n" + "".join(f"Ar {5 * i} 0 0\n" for i in range(ATOMS)))
    frames = Frames(made_up_frames())
    for version, order in ((3, "<"), (3, ">"), (2, "<"), (2, ">")):
        all_parts = version == 3
        session = IMDSessionInfo(
            version=version,
            endianness=order,
            wrapped_coords=False,
            energies=True,
            time=all_parts,
            box=all_parts,
            positions=True,
            velocities=all_parts,
            forces=all_parts,
        )
        server = InThreadIMDServer(frames)
        server.set_imdsessioninfo(session)
        server.handshake_sequence("127.0.0.1")
        out = folder / f"streamed_{version}_{'little' if order == '<' else 'big'}.dcd"
        table = out.with_suffix(".csv")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            address = f"imd://127.0.0.1:{server.port}"
            recorded = pool.submit(isolume.convert, [address, structure], out, energies=table)
            server.join_accept_thread()  # sends the first frame
            server.send_frames(1, FRAMES)
            server.cleanup()
            recorded.result()
        found = [(f.positions.copy(), f.dimensions) for f in DCDReader(str(out))]
        what = f"IMD {version}, {'little' if order == '<' else 'big'} endian"
        check(what, "imdclient", f"positions of {FRAMES} frames, A", [f[0] for f in found], [f.positions for f in frames], 0)
        if all_parts:
            lengths = [np.linalg.norm(f.triclinic_dimensions.astype(float), axis=1) for f in frames]
            check(what, "imdclient", "lengths of cells, A", [f[1][:3] for f in found], lengths, 4e-6)
        rows = np.genfromtxt(table, delimiter=",", skip_header=1)
        check(what, "imdclient", "energies", rows[:, 3:], [[i + k for k in range(1, 10)] for i in range(FRAMES)], 0)
        if all_parts:
            check(what, "imdclient", "times, ps", rows[:, 2], [f.time for f in frames], 0)
