import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.LocalDate;
import java.util.List;
import waybill.Client.*;
import waybill.Waybill;
import waybill.Waybill.WebhookVerificationException;

/** What the README shows. It says how to run this. */
class Sample {
    public static void main(String[] args) throws IOException {
        Waybill client = new Waybill(); // reads WAYBILL_API_KEY and WAYBILL_URL

        LocalDate tomorrow = LocalDate.now().plusDays(1);
        Shipment shipment = client.createShipment(ShipmentRequest.builder()
            .type(KnownShipmentType.FREIGHT)
            .origin(AddressRequest.builder().address("9 Quarry Road").city("Tacoma").state("WA").zip("98402").build())
            .destination(AddressRequest.builder().address("310 Mill Lane").city("Portland").state("OR").zip("97209").build())
            .pickupWindow(PickupWindowRequest.builder().start(tomorrow + "T08:00:00-08:00").end(tomorrow + "T12:00:00-08:00").build())
            .build());
        System.out.println(shipment.trackingNumber() + " is " + client.getShipment(shipment.id()).status());

        try {
            client.getProofOfDelivery(shipment.trackingNumber());
        } catch (ApiException error) {
            Problem problem = Problem.fromJson(error.body); // null if the response is not from Waybill
            if (problem == null || !"proof_not_available".equals(problem.code())) {
                throw error;
            }
            System.out.println("No proof yet");
        }

        String after = null; // the id of the last event that you have processed
        for (Event event : client.followEvents(new ListEventsParams().after(after))) {
            if (event instanceof ShipmentCreatedEvent created) {
                System.out.println("Created: " + created.data().shipment().trackingNumber());
                if (created.data().shipment().id().equals(shipment.id())) {
                    break;
                }
            } else if (event instanceof RawEvent raw) {
                System.out.println("Of a later version: " + raw.json());
            }
        }

        if (System.getenv("WEBHOOK_SECRET") != null) {
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 8080), 0);
            server.createContext("/", Sample::receive);
            server.start();
        }
    }

    static void receive(HttpExchange request) throws IOException {
        byte[] body = request.getRequestBody().readNBytes(1_000_000);
        List<String> secrets = List.of(System.getenv("WEBHOOK_SECRET"));
        try {
            Event event = Waybill.verifyWebhook(body, request.getRequestHeaders()::getFirst, secrets);
            System.out.println(event.type());
            request.sendResponseHeaders(204, -1);
        } catch (WebhookVerificationException forged) {
            request.sendResponseHeaders(400, -1);
        }
    }
}
